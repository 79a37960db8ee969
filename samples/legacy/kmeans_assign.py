"""K-means in plain TensorFlow ops: the centroids and each point's cluster are variables that ops assign."""
import numpy as np
import tensorflow as tf

N = 600
K = 4
MAX_ITERS = 30

rng = np.random.RandomState(21)
true_centers = np.array([[0, 0], [4, 4], [0, 5], [5, -1]])
samples = (true_centers[rng.randint(0, K, N)] + rng.randn(N, 2)).astype(np.float32)

points = tf.constant(samples)
cluster_assignments = tf.Variable(tf.zeros([N], dtype=tf.int64), trainable=False)
centroids = tf.Variable(samples[:K].copy(), name="centroids")

# distance of every point to every centroid
rep_centroids = tf.reshape(tf.tile(centroids, [N, 1]), [N, K, 2])
rep_points = tf.reshape(tf.tile(points, [1, K]), [N, K, 2])
sum_squares = tf.reduce_sum(tf.square(rep_points - rep_centroids), reduction_indices=2)

best_centroids = tf.argmin(sum_squares, 1)
did_assignments_change = tf.reduce_any(tf.not_equal(best_centroids, cluster_assignments))
inertia = tf.reduce_sum(tf.reduce_min(sum_squares, 1))


def bucket_mean(data, bucket_ids, num_buckets):
    total = tf.unsorted_segment_sum(data, bucket_ids, num_buckets)
    count = tf.unsorted_segment_sum(tf.ones_like(data), bucket_ids, num_buckets)
    return total / count


means = bucket_mean(points, best_centroids, K)

# the comparison must be made before the assignments are overwritten
with tf.control_dependencies([did_assignments_change, inertia]):
    do_updates = tf.group(centroids.assign(means), cluster_assignments.assign(best_centroids))

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    changed = True
    iters = 0
    while changed and iters < MAX_ITERS:
        iters += 1
        changed, distance, _ = sess.run([did_assignments_change, inertia, do_updates])
        print("iteration %2d inertia %.1f" % (iters, distance))

    centers, assignments = sess.run([centroids, cluster_assignments])
    print("converged after %d iterations" % iters)
    print("sizes", np.bincount(assignments, minlength=K))
    for center in centers[np.argsort(centers[:, 0])]:
        print("center %.4f %.4f" % tuple(center))
