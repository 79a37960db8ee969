import numpy as np
import tensorflow as tf

rng = np.random.RandomState(75)
X = rng.rand(8, 4).astype(np.float32)
T = rng.rand(8, 2).astype(np.float32)
W = rng.randn(4, 2).astype(np.float32)

from netmod import *

net = Net(W)
net.fit(X, T)
print(net.predict(X[:1]))
