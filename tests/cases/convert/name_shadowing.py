# One name for a tensor, then its value, then another tensor; loop variables that shadow.
import tensorflow as tf

x = tf.placeholder(tf.float32, [])
out = x + 1.0
with tf.Session() as sess:
    value = sess.run(out, {x: 1.0})
    print(value)
    out = sess.run(out, {x: 2.0})
    print(out + 0.5)
    net = x * 2.0
    net = net + 3.0
    net = tf.square(net)
    print(sess.run(net, {x: 1.0}))
    for x_value in [0.0, 1.0]:
        net_value = sess.run(net, feed_dict={x: x_value})
        print(x_value, net_value)
    loss = net - 1.0
    loss = sess.run(loss, {x: 0.0})
    print("loss", loss)
