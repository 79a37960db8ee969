"""Tells digits with a classifier that train_digits.py has saved: the one beside this file, or that of the first argument."""
import os
import sys

from digits.data import SIZE, load
from digits.model import Classifier

HERE = os.path.dirname(os.path.abspath(__file__))


def main(folder):
    model = Classifier(SIZE)
    if not model.load(folder):
        raise SystemExit("no classifier in %s: run train_digits.py first" % folder)
    images, labels = load(20, seed=3)
    told = model.predict(images)
    print("shown:", labels)
    print("told: ", told)
    for shown, answer in zip(labels, told):
        if shown != answer:
            print("%d was taken for %d" % (shown, answer))
    print("accuracy %.3f" % model.score(*load(300, seed=4)))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "digits_model"))
