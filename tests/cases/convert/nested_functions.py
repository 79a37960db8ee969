# A nested function that runs the graph of its enclosing function.
import tensorflow as tf


def build_and_run(rate):
    x = tf.placeholder(tf.float32, [None])
    m = tf.Variable(1.0, name="m")
    loss = tf.reduce_mean(tf.square(m * x - 3.0 * x))
    train = tf.train.GradientDescentOptimizer(rate).minimize(loss)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())

        def epoch(values):
            for v in values:
                sess.run(train, {x: [v]})
            return sess.run(loss, {x: values})

        history = []
        for _ in range(3):
            history.append(epoch([0.5, 1.0, 1.5]))
        print(["%.6f" % h for h in history])
        return sess.run(m)


print("%.6f" % build_and_run(0.1))
