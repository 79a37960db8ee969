"""Skip-gram word vectors with noise-contrastive estimation, on a made-up language of word groups."""
import collections
import math

import numpy as np
import tensorflow as tf

vocabulary_size = 60
batch_size = 32
embedding_size = 16
skip_window = 1
num_sampled = 8
num_steps = 250


# Step 1: a text in which words of one group of six follow each other.
def make_text(num_words):
    rng = np.random.RandomState(4)
    group, words = 0, []
    for _ in range(num_words):
        if rng.rand() < 0.1:
            group = rng.randint(vocabulary_size // 6)
        words.append(group * 6 + rng.randint(6))
    return words


data = make_text(3000)
data_index = 0


# Step 2: a batch of (word, neighbour) pairs.
def generate_batch(batch_size, skip_window):
    global data_index
    batch = np.ndarray(shape=(batch_size), dtype=np.int32)
    labels = np.ndarray(shape=(batch_size, 1), dtype=np.int32)
    span = 2 * skip_window + 1
    buffer = collections.deque(maxlen=span)
    if data_index + span + batch_size > len(data):
        data_index = 0
    buffer.extend(data[data_index:data_index + span])
    data_index += span
    for i in range(batch_size // 2):
        batch[2 * i] = batch[2 * i + 1] = buffer[skip_window]
        labels[2 * i, 0], labels[2 * i + 1, 0] = buffer[0], buffer[span - 1]
        buffer.append(data[data_index])
        data_index += 1
    return batch, labels


# Step 3: a skip-gram model.
graph = tf.Graph()
with graph.as_default():
    tf.set_random_seed(8)
    train_inputs = tf.placeholder(tf.int32, shape=[batch_size])
    train_labels = tf.placeholder(tf.int32, shape=[batch_size, 1])
    with tf.device('/cpu:0'):
        embeddings = tf.Variable(tf.random_uniform([vocabulary_size, embedding_size], -1.0, 1.0))
        embed = tf.nn.embedding_lookup(embeddings, train_inputs)
        nce_weights = tf.Variable(
            tf.truncated_normal([vocabulary_size, embedding_size], stddev=1.0 / math.sqrt(embedding_size)))
        nce_biases = tf.Variable(tf.zeros([vocabulary_size]))
    loss = tf.reduce_mean(
        tf.nn.nce_loss(weights=nce_weights, biases=nce_biases, labels=train_labels, inputs=embed,
                       num_sampled=num_sampled, num_classes=vocabulary_size))
    optimizer = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
    # Cosine similarity of every word to every other
    norm = tf.sqrt(tf.reduce_sum(tf.square(embeddings), 1, keep_dims=True))
    normalized_embeddings = embeddings / norm
    similarity = tf.matmul(normalized_embeddings, normalized_embeddings, transpose_b=True)
    init = tf.global_variables_initializer()

# Step 4: training.
with tf.Session(graph=graph) as session:
    init.run()
    average_loss = 0
    for step in range(num_steps):
        batch_inputs, batch_labels = generate_batch(batch_size, skip_window)
        feed_dict = {train_inputs: batch_inputs, train_labels: batch_labels}
        _, loss_val = session.run([optimizer, loss], feed_dict=feed_dict)
        average_loss += loss_val
        if (step + 1) % 50 == 0:
            print('Average loss at step', step + 1, ': %.4f' % (average_loss / 50))
            average_loss = 0
    sim = similarity.eval()
    same_group = np.kron(np.eye(vocabulary_size // 6), np.ones((6, 6))).astype(bool)
    print('Similarity within groups %.4f, between groups %.4f' % (sim[same_group].mean(), sim[~same_group].mean()))
