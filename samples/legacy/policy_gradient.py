"""REINFORCE on a small balancing game; one tiny Session.run for each action.

Hundreds of calls of a network that is nearly free: here the overhead of a call decides.
"""
import numpy as np
import tensorflow as tf

GAMMA = 0.97
EPISODES = 50
MAX_MOVES = 40


class Pole(object):
    """A pole on a cart, in a simple form: position, speed and a push to the left or the right."""

    def __init__(self, seed):
        self.rng = np.random.RandomState(seed)

    def reset(self):
        self.angle, self.speed, self.moves = self.rng.uniform(-0.05, 0.05), 0.0, 0
        return self.state()

    def state(self):
        return np.array([self.angle, 5 * self.speed, 1.0], dtype=np.float32)

    def step(self, action):
        self.speed += 0.02 * np.sin(self.angle) + (0.01 if action == 1 else -0.01)
        self.angle += self.speed
        self.moves += 1
        done = abs(self.angle) > 0.5 or self.moves >= MAX_MOVES
        return self.state(), 1.0 - 2 * abs(self.angle), done


def discount(rewards):
    out, running = np.zeros(len(rewards), dtype=np.float32), 0.0
    for t in reversed(range(len(rewards))):
        running = running * GAMMA + rewards[t]
        out[t] = running
    return (out - out.mean()) / (out.std() + 1e-6)


np.random.seed(1)
tf.set_random_seed(2)

state_ph = tf.placeholder(tf.float32, [None, 3], name="state")
action_ph = tf.placeholder(tf.int32, [None], name="action")
return_ph = tf.placeholder(tf.float32, [None], name="return")

with tf.variable_scope("policy"):
    w1 = tf.get_variable("w1", [3, 10], initializer=tf.random_normal_initializer(0., 0.3))
    b1 = tf.get_variable("b1", [10], initializer=tf.zeros_initializer())
    w2 = tf.get_variable("w2", [10, 2], initializer=tf.random_normal_initializer(0., 0.3))
    b2 = tf.get_variable("b2", [2], initializer=tf.zeros_initializer())
all_act = tf.matmul(tf.nn.tanh(tf.matmul(state_ph, w1) + b1), w2) + b2
all_act_prob = tf.nn.softmax(all_act, name="act_prob")

neg_log_prob = tf.nn.sparse_softmax_cross_entropy_with_logits(logits=all_act, labels=action_ph)
loss = tf.reduce_mean(neg_log_prob * return_ph)
train_op = tf.train.AdamOptimizer(0.02).minimize(loss)

env = Pole(seed=6)
sess = tf.Session()
sess.run(tf.global_variables_initializer())

totals = []
for episode in range(EPISODES):
    observation = env.reset()
    states, actions, rewards = [], [], []
    done = False
    while not done:
        prob_weights = sess.run(all_act_prob, feed_dict={state_ph: observation[np.newaxis, :]})
        action = int(np.random.rand() < prob_weights.ravel()[1])
        states.append(observation)
        actions.append(action)
        observation, reward, done = env.step(action)
        rewards.append(reward)

    _, episode_loss = sess.run([train_op, loss], feed_dict={
        state_ph: np.vstack(states), action_ph: np.array(actions), return_ph: discount(rewards)})
    totals.append(sum(rewards))
    if episode % 10 == 9:
        print("episode: %d   mean reward: %.4f   loss: %.5f" % (episode, np.mean(totals[-10:]), episode_loss))

print("policy at rest", np.round(sess.run(all_act_prob, {state_ph: np.zeros((1, 3))}), 5))
sess.close()
