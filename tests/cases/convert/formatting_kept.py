# Odd formatting:  comments, blank lines and tabs stay as they are.
from __future__ import print_function
import tensorflow as tf   # the library


x = tf.placeholder(tf.float32, [None, 2], name = 'x')   # input
w = tf.Variable( [[1.], [2.]] )
y = tf.matmul( x, w )       # a product

# ---- run ----
with tf.Session() as sess :
	sess.run( tf.global_variables_initializer() )   # always first

	for k in range(2) :   # twice
		print( 'k =', k, sess.run( y, feed_dict = { x : [[k, 1.]] } ) )   # print it
		# done
# the end
