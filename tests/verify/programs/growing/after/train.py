"""Model and optimizer built once."""
import numpy as np
import tensorflow as tf

import parts

xs = np.random.rand(20, 3).astype("float32")
ys = xs.sum(axis=1, keepdims=True)


def main():
    predict = parts.Predict()
    optimizer = tf.keras.optimizers.SGD(0.1)
    variables = [predict.w, predict.b]
    optimizer.build(variables)

    @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32), tf.TensorSpec([None, 1], tf.float32)])
    def train_step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(predict(x + tf.random.normal([3], stddev=0.01)) - y))
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss

    train_step = train_step.get_concrete_function()
    for i in range(60):
        value = train_step(xs, ys).numpy()
        if i % 10 == 0:
            print(i, value)


if __name__ == "__main__":
    main()
