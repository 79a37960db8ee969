import numpy as np
import tensorflow as tf


def main():
    rng = np.random.RandomState(2)
    images = rng.rand(200, 16).astype("float32")
    classes = (images[:, 0] * 4).astype(int)
    onehot = np.eye(4, dtype="float32")[classes]

    x = tf.placeholder(tf.float32, shape=[None, 16])
    y_ = tf.placeholder(tf.float32, shape=[None, 4])
    lr = tf.placeholder(tf.float32, shape=[])
    h = tf.layers.dense(x, 12, tf.nn.relu, kernel_initializer=tf.constant_initializer(0.05), name="h")
    logits = tf.layers.dense(h, 4, kernel_initializer=tf.constant_initializer(np.arange(48) % 5 / 10.), name="out")
    loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=y_, logits=logits))
    opt = tf.train.AdamOptimizer(lr)
    pairs = opt.compute_gradients(loss)
    clipped = [(tf.clip_by_value(g, -0.01, 0.01), v) for g, v in pairs]
    train_step = opt.apply_gradients(clipped)
    correct = tf.equal(tf.argmax(logits, 1), tf.argmax(y_, 1))
    accuracy = tf.reduce_mean(tf.cast(correct, tf.float32))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for i in range(30):
            rows = rng.randint(0, 200, 20)
            _, l, a = sess.run([train_step, loss, accuracy], {x: images[rows], y_: onehot[rows], lr: 0.01})
            if i % 10 == 0:
                print("loss %.6f accuracy %.4f" % (l, a))
        print("accuracy", "%.4f" % accuracy.eval({x: images[:151], y_: onehot[:151]}))


if __name__ == "__main__":
    main()
