"""Trains the classifier of digits, tells how well it does and saves it."""
import argparse

import tensorflow as tf

from digits.data import SIZE, Batches, load
from digits.model import Classifier


def main(args):
    tf.set_random_seed(21)
    images, labels = load(1200, seed=1)
    test_images, test_labels = load(300, seed=2)
    model = Classifier(SIZE, hidden=args.hidden)
    batches = Batches(images, labels, args.batch_size)
    for epoch in range(4):
        model.fit(batches, steps=50)
        print("epoch %d test accuracy %.3f" % (epoch, model.score(test_images, test_labels)))
    model.save(args.out)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--hidden", type=int, default=48)
    parser.add_argument("--batch_size", type=int, default=50)
    parser.add_argument("--out", default="digits_model")
    main(parser.parse_args())
