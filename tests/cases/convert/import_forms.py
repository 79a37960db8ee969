# The same library under several names.
import tensorflow
import tensorflow as T
from tensorflow import placeholder, float32, Session
from tensorflow.train import GradientDescentOptimizer as SGD
import tensorflow.nn as nn

x = placeholder(float32, [3])
v = T.Variable([0.5, -0.5, 2.0])
out = tensorflow.reduce_sum(nn.relu(x * v))
step = SGD(0.5).minimize(out)
with Session() as s:
    s.run(T.global_variables_initializer())
    for _ in range(3):
        s.run(step, {x: [1.0, 2.0, 3.0]})
    print(s.run(out, {x: [1.0, 2.0, 3.0]}))
    print(s.run(v))
