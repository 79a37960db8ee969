# refuse: a star import of a module outside the tree may bind any name
import tensorflow as tf
from colorsys import *  # here
from tensorflow.contrib.layers import *  # here

x = tf.placeholder(tf.float32, [None, 3])
net = fully_connected(x, 2)  # here
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(net, {x: [[1.0, 2.0, 3.0]]}).shape)
