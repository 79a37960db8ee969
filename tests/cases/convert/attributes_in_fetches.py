# What is fetched is computed with numbers that an object holds, in comprehensions too; they change from call to call.
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None])
online = [tf.Variable([1.0, 2.0]), tf.Variable(3.0)]
target = [tf.Variable([0.0, 0.0]), tf.Variable(0.0)]
total = tf.reduce_sum(x) * online[1]


class Agent(object):
    tau = 0.25

    def __init__(self):
        self.scale = 1.0
        self.history = []

    def update(self, sess):
        sess.run([t.assign(self.tau * s + (1.0 - self.tau) * t) for s, t in zip(online, target)])

    def act(self, sess, values):
        result = sess.run(total * self.scale + self.scale, {x: values})
        self.scale *= 0.5
        self.history.append(result)
        return result


agent = Agent()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for s in range(3):
        agent.update(sess)
        t = agent.act(sess, np.ones(2) * s)
        print("%.5f" % t, [np.round(v, 5).tolist() for v in sess.run(target)])
    agent.tau = 1.0
    agent.update(sess)
    print([np.round(v, 5).tolist() for v in sess.run(target)], len(agent.history))
