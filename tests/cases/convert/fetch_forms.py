# Every way to write what is fetched.
# refused for now: TFM110
import collections
import tensorflow as tf

x = tf.placeholder(tf.float32, [2])
a = tf.reduce_sum(x)
b = x * 2.0
Pair = collections.namedtuple("Pair", "first second")
with tf.Session() as sess:
    f = {x: [1.0, 2.0]}
    print(sess.run(a, f))
    print(sess.run([a, b], f))
    print(sess.run((b, a), f))
    d = sess.run({"a": a, "b": b}, f)
    print(sorted(d), d["a"], d["b"])
    nested = sess.run([a, {"in": [b, a]}, (a,)], feed_dict=f)
    print(nested[0], nested[1]["in"][1], nested[2][0], type(nested[2]).__name__)
    print(sess.run([a, b], f)[0], sess.run([a, b], f)[1].sum())
    p = sess.run(Pair(first=a, second=b), f)
    print(p.first, p.second)
    print(sess.run([b], f)[0].shape, len(sess.run([a, a, b], f)))
