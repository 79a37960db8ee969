"""Digits of seven segments, drawn with noise: a data set that needs no download."""
import numpy as np

SEGMENTS = ["1110111", "0010010", "1011101", "1011011", "0111010", "1101011", "1101111", "1010010", "1111111", "1111011"]
SIZE = 64


def draw(digit, rng):
    image = np.zeros((8, 8), np.float32)
    top, upper_left, upper_right, middle, lower_left, lower_right, bottom = [int(s) for s in SEGMENTS[digit]]
    image[0, 1:6] += top
    image[1:4, 1] += upper_left
    image[1:4, 5] += upper_right
    image[3, 1:6] += middle
    image[4:7, 1] += lower_left
    image[4:7, 5] += lower_right
    image[7, 1:6] += bottom
    image = np.roll(image, rng.randint(0, 3), axis=1)
    return np.minimum(image, 1) + 0.3 * rng.randn(8, 8).astype(np.float32)


def load(count, seed):
    rng = np.random.RandomState(seed)
    labels = rng.randint(0, 10, count)
    images = np.stack([draw(label, rng) for label in labels]).reshape(count, SIZE)
    return images.astype(np.float32), labels.astype(np.int64)


class Batches(object):
    """Gives shuffled batches without end."""

    def __init__(self, images, labels, batch_size, seed=0):
        self.images, self.labels, self.batch_size = images, labels, batch_size
        self.rng = np.random.RandomState(seed)
        self.order, self.at = self.rng.permutation(len(images)), 0

    def next(self):
        if self.at + self.batch_size > len(self.order):
            self.order, self.at = self.rng.permutation(len(self.images)), 0
        rows = self.order[self.at:self.at + self.batch_size]
        self.at += self.batch_size
        return self.images[rows], self.labels[rows]
