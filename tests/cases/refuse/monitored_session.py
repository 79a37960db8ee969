# refuse: a MonitoredTrainingSession with hooks owns the loop
import tensorflow as tf

step = tf.train.get_or_create_global_step()
w = tf.get_variable("w", [], initializer=tf.ones_initializer())
loss = tf.square(w)
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)
hooks = [tf.train.StopAtStepHook(last_step=5)]  # here
with tf.train.MonitoredTrainingSession(hooks=hooks) as sess:  # here
    while not sess.should_stop():
        _, value = sess.run([train, loss])
print("%.5f" % value)
