import numpy as np
import tensorflow as tf

rng = np.random.RandomState(7)
X = rng.rand(10, 4).astype(np.float32)
Y = np.eye(2)[rng.randint(0, 2, 10)].astype(np.float32)
W1 = rng.randn(4, 5).astype(np.float32)
W2 = rng.randn(5, 2).astype(np.float32)


class SoftmaxRegression:
    def __init__(self, **options):
        self.hidden = options.get('hidden', 5)
        self.learning_rate = options['learning_rate']
        self.epochs = options['epochs']
        self.build_model()

    def create_placeholders(self):
        self.input_data = tf.placeholder(tf.float32, [None, 4], name='x-input')
        self.input_labels = tf.placeholder(tf.float32, [None, 2], name='y-input')

    def create_variables(self):
        self.W_ = tf.Variable(W1, name='weights')
        self.b_ = tf.Variable(tf.zeros([self.hidden]), name='bias')
        self.Wo_ = tf.Variable(W2)

    def build_model(self):
        self.create_placeholders()
        self.create_variables()
        h = tf.nn.tanh(tf.matmul(self.input_data, self.W_) + self.b_)
        self.model_output = tf.nn.softmax(tf.matmul(h, self.Wo_))
        self._create_cost_node()
        self.train_step = tf.train.MomentumOptimizer(self.learning_rate, 0.9).minimize(self.cost)
        self.accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(self.model_output, 1), tf.argmax(self.input_labels, 1)), tf.float32))

    def _create_cost_node(self):
        self.cost = -tf.reduce_mean(self.input_labels * tf.log(tf.clip_by_value(self.model_output, 1e-10, 1.0)))

    def fit(self, x, y):
        self.sess = tf.Session()
        self.sess.run(tf.global_variables_initializer())
        for i in range(self.epochs):
            for k in range(0, 10, 5):
                self.sess.run(self.train_step, feed_dict={self.input_data: x[k:k + 5], self.input_labels: y[k:k + 5]})
            c = self.sess.run(self.cost, feed_dict={self.input_data: x, self.input_labels: y})
            print('cost', i, c)

    def predict(self, x, y):
        return self.sess.run(self.accuracy, {self.input_data: x, self.input_labels: y})


net = SoftmaxRegression(learning_rate=0.5, epochs=4)
net.fit(X, Y)
print(net.predict(X, Y))
