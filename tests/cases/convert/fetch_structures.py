# What is fetched comes back in its structure: dicts with ops, nested lists, tuples and dicts, the same things in others.
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2])
w = tf.Variable([[1.0], [2.0]])
y = tf.matmul(x, w)
loss = tf.reduce_mean(tf.square(y))
total = tf.reduce_sum(y)
train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
feed = {x: [[1.0, 2.0], [3.0, 4.0]]}


def form(value):
    """The structure of what came back."""
    if isinstance(value, dict):
        return {key: form(value[key]) for key in sorted(value)}
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [form(item) for item in value]
    return None if value is None else round(float(value), 3)


with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(form(sess.run({"train": train, "loss": loss}, feed)))
    print(form(sess.run({"cost": loss, "sum": total}, feed)))
    print(form(sess.run({"sum": loss, "cost": total}, feed)))
    print(form(sess.run({"all": [loss, (total,)], "one": {"loss": loss}}, feed)))
    print(form(sess.run([[loss], total], feed)))
    print(form(sess.run([loss, total], feed)))
    print(form(sess.run((loss, [total, loss]), feed)))
    print(form(sess.run(((loss, total), loss), feed)))
    print(form(sess.run([train, loss], feed)))
    (first, second), third = sess.run([(loss, total), loss], feed)
    print(form([first, second, third]))
    sess.run({"train": train, "loss": loss}, feed)
    print(form(sess.run({"loss": loss}, feed)["loss"]))
    _, both = sess.run([train, {"loss": loss, "sum": total}], feed)
    print(form(both))
