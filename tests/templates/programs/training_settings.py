"""What the writer and the reader of legacy checkpoints share: batches, and the optimizers with their settings."""

import numpy as np

OPTIMIZERS = {
    "gradient_descent": ("GradientDescentOptimizer", {}, "GradientDescent", {}),
    "momentum": ("MomentumOptimizer", {"momentum": 0.9}, "Momentum", {"momentum": 0.9}),
    "adam": ("AdamOptimizer", {}, "Adam", {}),
    "named_adam": ("AdamOptimizer", {"name": "MyAdam"}, "Adam", {"name": "MyAdam"}),
    "rmsprop": (
        "RMSPropOptimizer",
        {"momentum": 0.3, "centered": True},
        "RMSProp",
        {"momentum": 0.3, "centered": True},
    ),
    "adagrad": ("AdagradOptimizer", {}, "Adagrad", {}),
    "adadelta": ("AdadeltaOptimizer", {}, "Adadelta", {}),
    "ftrl": ("FtrlOptimizer", {}, "Ftrl", {}),
}


def batch(step):
    """Three examples of four numbers."""
    return np.random.RandomState(step).randn(3, 4).astype("float32")
