# tf.app.run with flags and a main that takes the rest of the arguments.
import tensorflow as tf

flags = tf.app.flags
flags.DEFINE_float("rate", 0.25, "learning rate")
flags.DEFINE_integer("steps", 4, "steps")
flags.DEFINE_boolean("verbose", True, "print each step")
FLAGS = flags.FLAGS


def main(unused_argv):
    w = tf.Variable(4.0, name="w")
    loss = tf.square(w - 1.0)
    train = tf.train.GradientDescentOptimizer(FLAGS.rate).minimize(loss)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for i in range(FLAGS.steps):
            _, value = sess.run([train, loss])
            if FLAGS.verbose:
                print(i, value)
        print("w", sess.run(w))


if __name__ == "__main__":
    tf.app.run(main)
