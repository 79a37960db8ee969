# refuse: a cluster of parameter servers and workers
import tensorflow as tf

cluster = tf.train.ClusterSpec({"worker": ["localhost:22231"]})  # here
server = tf.train.Server(cluster, job_name="worker", task_index=0)  # here
with tf.device(tf.train.replica_device_setter(cluster=cluster)):  # here
    w = tf.Variable(2.0)
    up = w.assign_add(1.0)
with tf.Session(server.target) as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(up))
