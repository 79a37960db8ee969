# ConfigProto with every common option. (alone: it configures the process)
import tensorflow as tf

config = tf.ConfigProto(allow_soft_placement=True, log_device_placement=False,
                        intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
config.gpu_options.allow_growth = True
gpu_options = tf.GPUOptions(per_process_gpu_memory_fraction=0.3)
x = tf.placeholder(tf.float32, [2])
with tf.device("/gpu:0"):
    y = x * 2.0
with tf.Session(config=config) as sess:
    print(sess.run(y, feed_dict={x: [1.0, 2.0]}))
with tf.Session(config=tf.ConfigProto(gpu_options=gpu_options, allow_soft_placement=True)) as sess:
    print(sess.run(y + 1.0, feed_dict={x: [1.0, 2.0]}))
