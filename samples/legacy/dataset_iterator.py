"""Trains from a tf.data pipeline with an initializable iterator; OutOfRangeError ends each epoch."""
import numpy as np
import tensorflow as tf

tf.app.flags.DEFINE_integer("epochs", 6, "how often the data is seen")
tf.app.flags.DEFINE_integer("batch_size", 32, "examples in a batch")
FLAGS = tf.app.flags.FLAGS


def make_arrays():
    rng = np.random.RandomState(12)
    features = rng.uniform(0, 1, size=(500, 9)).astype(np.float32)
    labels = (features[:, 0] * 3 + features[:, 1] * features[:, 2] > 1.7).astype(np.int32)
    return features, labels


def normalize(features, label):
    return (features - 0.5) * 2.0, label


def main(argv):
    features, labels = make_arrays()
    features_ph = tf.placeholder(features.dtype, features.shape)
    labels_ph = tf.placeholder(labels.dtype, labels.shape)

    dataset = tf.data.Dataset.from_tensor_slices((features_ph, labels_ph))
    dataset = dataset.map(normalize).shuffle(500, seed=5).batch(FLAGS.batch_size).prefetch(1)
    iterator = dataset.make_initializable_iterator()
    next_features, next_labels = iterator.get_next()

    with tf.variable_scope("logistic", initializer=tf.constant_initializer(0.05)):
        w1 = tf.get_variable("w1", [9, 16])
        w2 = tf.get_variable("w2", [16, 2], initializer=tf.truncated_normal_initializer(stddev=0.2, seed=3))
        b2 = tf.get_variable("b2", [2], initializer=tf.zeros_initializer())
    logits = tf.matmul(tf.nn.relu(tf.matmul(next_features, w1)), w2) + b2

    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=next_labels, logits=logits))
    global_step = tf.train.get_or_create_global_step()
    train_op = tf.train.AdagradOptimizer(0.1).minimize(loss, global_step=global_step)

    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for epoch in range(FLAGS.epochs):
            sess.run(iterator.initializer, feed_dict={features_ph: features, labels_ph: labels})
            total, batches = 0.0, 0
            while True:
                try:
                    _, value = sess.run([train_op, loss])
                    total += value
                    batches += 1
                except tf.errors.OutOfRangeError:
                    break
            print("epoch %d: %d batches, mean loss %.5f" % (epoch, batches, total / batches))
        print("trained for %d steps" % sess.run(global_step))
        print("weights of class 1:", np.round(sess.run(w2)[:, 1], 4)[:4])


if __name__ == "__main__":
    tf.app.run()
