"""Batches of a small MNIST, read by TensorFlow 1.15's own reader or by the generated input_data.py.

mnist_batches.py GENERATED DATA OUTPUT.npz
"""

import gzip
import os
import struct
import sys

import numpy as np
import tensorflow as tf

sys.path.insert(0, sys.argv[1])
LEGACY = tf.__version__.startswith("1.")
if LEGACY:
    from tensorflow.examples.tutorials.mnist import input_data
else:
    import input_data


def write_data(folder):
    """A hundred and seven training and twenty test images, the same each time."""
    rng = np.random.RandomState(0)
    for name, count in (("train", 107), ("t10k", 20)):
        images = rng.randint(0, 256, (count, 28, 28)).astype(np.uint8).tobytes()
        labels = rng.randint(0, 10, count).astype(np.uint8).tobytes()
        for kind, data in (
            ("images-idx3-ubyte", struct.pack(">IIII", 2051, count, 28, 28) + images),
            ("labels-idx1-ubyte", struct.pack(">II", 2049, count) + labels),
        ):
            with gzip.open(os.path.join(folder, "%s-%s.gz" % (name, kind)), "wb") as stream:
                stream.write(data)


def read(folder, **options):
    """TensorFlow 1's reader reseeds NumPy from the clock when it is given no seed: shield it, as the new one does."""
    state = np.random.get_state()
    data = input_data.read_data_sets(folder, **options)
    if "seed" not in options:
        np.random.set_state(state)
    return data


def main(folder, output):
    if not os.path.isdir(folder):
        os.mkdir(folder)
        write_data(folder)
    results = {}
    for number, options in enumerate(
        [
            dict(validation_size=30),
            dict(one_hot=True, validation_size=7),
            dict(reshape=False, validation_size=0, seed=4),
            dict(one_hot=True, dtype=tf.uint8, validation_size=107 - 40),
        ]
    ):
        np.random.seed(number)
        data = read(folder, **options)
        for part, data_set in zip(data._fields, data):
            results["%d/%s/all" % (number, part)] = data_set.images
            results["%d/%s/labels" % (number, part)] = data_set.labels
            if not data_set.num_examples:
                continue
            for step, (size, shuffle) in enumerate([(8, True), (20, True), (5, False), (9, True), (7, True)] * 2):
                images, labels = data_set.next_batch(size, shuffle=shuffle)
                results["%d/%s/%d/images" % (number, part, step)] = images
                results["%d/%s/%d/batch_labels" % (number, part, step)] = labels
            results["%d/%s/epochs" % (number, part)] = [data_set.epochs_completed, data_set.num_examples]
        results["%d/random" % number] = np.random.rand(3)
    fake = input_data.read_data_sets(folder, fake_data=True, one_hot=True).train.next_batch(2, fake_data=True)
    results["fake/images"], results["fake/labels"] = fake
    np.savez(output, **results)


if __name__ == "__main__":
    main(*sys.argv[2:])
