# Eager: Keras models trained with a tape and optimizers of tf.train. (alone: it is eager)
import numpy as np
import tensorflow as tf

tf.enable_eager_execution()


class Lines(tf.keras.Model):
    def __init__(self, units):
        super().__init__()
        self.hidden = tf.keras.layers.Dense(
            units, activation=tf.nn.relu, kernel_initializer=tf.constant_initializer(0.25)
        )
        self.out = tf.keras.layers.Dense(units=1, kernel_initializer="ones")

    def call(self, inputs):
        return self.out(self.hidden(inputs))

    def predict(self, inputs):
        return tf.round(self(inputs))


class Pictures(tf.keras.Model):
    def __init__(self):
        super(Pictures, self).__init__()
        self.conv = tf.keras.layers.Conv2D(
            filters=2, kernel_size=[3, 3], padding="same", activation="tanh", kernel_initializer="ones"
        )
        self.pool = tf.keras.layers.MaxPool2D(pool_size=[2, 2], strides=2)
        self.flat = tf.keras.layers.Flatten()
        self.out = tf.keras.layers.Dense(2, kernel_initializer=tf.zeros_initializer())

    def call(self, inputs):
        inputs = tf.reshape(inputs, [-1, 4, 4, 1])
        return self.out(self.flat(self.pool(self.conv(inputs))))


def batch(values):
    return np.array(values, dtype=np.float32)


xs = tf.constant(batch([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))
ys = tf.constant([[10.0], [20.0]])
model = Lines(4)
descent = tf.train.GradientDescentOptimizer(learning_rate=0.001)
adam = tf.train.AdamOptimizer(0.1)
for i in range(6):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(xs) - ys))
    grads = tape.gradient(loss, model.variables)
    if i < 3:
        descent.apply_gradients(grads_and_vars=zip(grads, model.variables))
    else:
        adam.apply_gradients(grads_and_vars=zip(grads, model.variables))
    print("%.3f" % loss)
print(len(model.variables), [tuple(v.shape.as_list()) for v in model.trainable_variables])
print(model.predict(batch([[1.0, 0.0, 0.0]])).numpy().tolist())

pictures = Pictures()
optimizer = tf.train.MomentumOptimizer(0.05, 0.9)
images = np.arange(32).reshape(2, 16) / 40.0
labels = np.array([0, 1])
for i in range(3):
    with tf.GradientTape() as tape:
        logits = pictures(tf.constant(images, dtype=tf.float32))
        loss = tf.losses.sparse_softmax_cross_entropy(labels=labels, logits=logits)
    grads = tape.gradient(loss, pictures.trainable_variables)
    optimizer.apply_gradients(zip(grads, pictures.trainable_variables))
    print("%.4f" % loss.numpy())
