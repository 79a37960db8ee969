# Strings, booleans and integers as fetched values used by the host.
import tensorflow as tf

x = tf.placeholder(tf.int32, [None])
big = tf.reduce_any(x > 3)
parity = tf.mod(x, 2)
text = tf.as_string(x)
with tf.Session() as sess:
    if sess.run(big, {x: [1, 5]}):
        print("big")
    if not sess.run(big, {x: [1, 2]}):
        print("not big")
    print(sess.run(parity, {x: [1, 2, 3]}).tolist())
    print([t.decode() for t in sess.run(text, {x: [7, 8]})])
    index = sess.run(tf.argmax(x), {x: [3, 9, 1]})
    print(["a", "b", "c"][index], {9: "nine"}[int(sess.run(x, {x: [9]})[0])])
