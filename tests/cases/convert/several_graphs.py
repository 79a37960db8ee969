# Two graphs, two sessions, the same names in both.
import tensorflow as tf

g1 = tf.Graph()
with g1.as_default():
    x1 = tf.placeholder(tf.float32, [])
    v1 = tf.get_variable("v", initializer=1.0)
    up = v1.assign_add(x1)
    init1 = tf.global_variables_initializer()
g2 = tf.Graph()
with g2.as_default():
    x2 = tf.placeholder(tf.float32, [])
    v2 = tf.get_variable("v", initializer=10.0)
    prod = v2 * x2
    init2 = tf.global_variables_initializer()

s1, s2 = tf.Session(graph=g1), tf.Session(graph=g2)
s1.run(init1)
s2.run(init2)
for i in range(3):
    a = s1.run(up, {x1: 0.5})
    print(i, a, s2.run(prod, {x2: a}))
s1.close()
s2.close()
