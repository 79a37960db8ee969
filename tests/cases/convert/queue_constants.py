# Arrays of the host in batches (enqueue_many), for training and, from another queue, for evaluation.
import numpy as np
import tensorflow as tf

x_train = np.arange(14, dtype=np.float32).reshape(7, 2)
y_train = np.arange(7, dtype=np.int64)
images_train, labels_train = tf.train.batch([x_train, y_train], batch_size=3, enqueue_many=True)
x_test = tf.constant([[1.0, 1.0], [2.0, 2.0]])
images_test = tf.train.batch([x_test], 2, enqueue_many=True)

w = tf.Variable([[1.0], [0.5]])


def predict(x):
    return tf.matmul(x, w)


loss = tf.reduce_mean(tf.square(predict(images_train)[:, 0] - tf.cast(labels_train, tf.float32)))
step = tf.train.GradientDescentOptimizer(0.001).minimize(loss)
evaluated = predict(images_test)

sess = tf.InteractiveSession()
tf.global_variables_initializer().run()
tf.train.start_queue_runners()
for i in range(5):
    _, value = sess.run([step, loss])
    print(i, value, sess.run(evaluated)[:, 0])
print(sess.run(labels_train), sess.run([images_train, labels_train]))
