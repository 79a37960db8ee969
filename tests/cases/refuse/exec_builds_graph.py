# refuse: exec makes tensors that no reading of the source can see
import tensorflow as tf

x = tf.placeholder(tf.float32, [])
code = "y = x * 2.0"
exec(code)  # here
with tf.Session() as sess:
    print(sess.run(y, {x: 3.0}))  # here
