"""Trains the classifier of network_model.py.

It gets slower with every step: the model, its loss, the optimizer and the accuracy are all built again inside the loop,
so the graph grows by a whole network a step. AUTO_REUSE hides it, as the variables are shared.
"""
import time

import numpy as np
import tensorflow as tf

import network_model

BATCH_SIZE = 32
MAX_STEP = 50
LEARNING_RATE = 0.2


def make_data(num_examples):
    rng = np.random.RandomState(7)
    centers = rng.randn(5, 48)
    labels = rng.randint(0, 5, num_examples)
    images = centers[labels] + 0.8 * rng.randn(num_examples, 48)
    return images.astype(np.float32), labels.astype(np.int64)


def run_training():
    tf.set_random_seed(3)
    images, labels = make_data(1000)
    images_placeholder = tf.placeholder(tf.float32, shape=[BATCH_SIZE, 48])
    labels_placeholder = tf.placeholder(tf.int64, shape=[BATCH_SIZE])
    keep_prob = tf.placeholder(tf.float32)

    with tf.Session() as sess:
        for step in range(MAX_STEP):
            start = time.time()
            train_logits = network_model.inference(images_placeholder, keep_prob)
            train_loss = network_model.losses(train_logits, labels_placeholder)
            train_op = network_model.train(train_loss, LEARNING_RATE)
            train_acc = network_model.evaluation(train_logits, labels_placeholder)
            if step == 0:
                sess.run(tf.global_variables_initializer())

            begin = step * BATCH_SIZE % 960
            feed_dict = {images_placeholder: images[begin:begin + BATCH_SIZE],
                         labels_placeholder: labels[begin:begin + BATCH_SIZE],
                         keep_prob: 1.0}
            _, loss_value, acc_value = sess.run([train_op, train_loss, train_acc], feed_dict=feed_dict)

            if step % 5 == 0 or step + 1 == MAX_STEP:
                print("Step %d, train loss = %.4f, train accuracy = %.2f%%" % (step, loss_value, acc_value * 100.0))
                print("time cost: {:.4f}".format(time.time() - start))


if __name__ == "__main__":
    run_training()
