"""The same summaries written by TensorFlow 1.15's merged op and by the traced function of a converted program.

summaries.py GENERATED OUTPUT.npz      OUTPUT holds "tag/step" and the values read back from the event file
"""

import glob
import os
import sys
import tempfile

import numpy as np
import tensorflow as tf

sys.path.insert(0, sys.argv[1])
LEGACY = tf.__version__.startswith("1.")
STEPS = [0, 3, 7]
FOLDER = tempfile.mkdtemp()


def values(step):
    rng = np.random.RandomState(step)
    images = {"positive": rng.rand(2, 4, 5, 1), "signed": rng.randn(2, 4, 5, 3), "zero": np.zeros((1, 4, 5, 3))}
    images["broken"] = rng.rand(1, 4, 5, 3)
    images["broken"][0, 1, 2, 1] = np.nan
    images = {name: image.astype("float32") for name, image in images.items()}
    images["bytes"] = rng.randint(0, 256, (1, 4, 5, 3)).astype("uint8")
    return dict(images, loss=np.float32(rng.rand()), weights=rng.randn(50).astype("float32"))


def write_legacy():
    example = values(0)
    feeds = {name: tf.placeholder(value.dtype, value.shape) for name, value in example.items()}
    with tf.name_scope("metrics"):
        tf.summary.scalar("the loss", feeds["loss"])
        tf.summary.scalar("the loss", feeds["loss"] * 2, family="twice")
    tf.summary.histogram("weights", feeds["weights"])
    for name in ("positive", "signed", "zero", "broken", "bytes"):
        tf.summary.image(name, feeds[name], max_outputs=2)
    tf.summary.text("note", tf.constant("a *note*"))
    merged = tf.summary.merge_all()
    with tf.Session() as session, tf.summary.FileWriter(FOLDER) as writer:
        for step in STEPS:
            feed = {feeds[name]: value for name, value in values(step).items()}
            writer.add_summary(session.run(merged, feed), step)


def write_converted():
    from legacy_summaries import image_pixels

    writer = tf.summary.create_file_writer(FOLDER)

    @tf.function
    def write_summaries(summaries, step):
        with writer.as_default(step=step):
            tf.summary.scalar("metrics/the_loss", summaries["loss"])
            tf.summary.scalar("twice/metrics/twice/the_loss", summaries["loss"] * 2)
            tf.summary.histogram("weights", summaries["weights"])
            for name in ("positive", "signed", "zero", "broken", "bytes"):
                tf.summary.image(name, image_pixels(summaries[name]), max_outputs=2)
            tf.summary.text("note", tf.constant("a *note*"))

    for step in STEPS:
        summaries = {name: tf.constant(value) for name, value in values(step).items()}
        write_summaries(summaries, tf.constant(step, tf.int64))
    assert write_summaries.experimental_get_tracing_count() == 1
    writer.close()


def read():
    """{tag/step: value}: a number, an image's pixels, a text, or a histogram's total, extremes and mean."""
    found = {}
    for path in glob.glob(os.path.join(FOLDER, "*")):
        for event in tf.compat.v1.train.summary_iterator(path):
            for value in event.summary.value:
                for tag, content in read_value(value):
                    found["%s/%d" % (tag, event.step)] = content
    return found


def read_value(value):
    if value.HasField("simple_value"):
        yield value.tag, value.simple_value
    elif value.HasField("histo"):
        h = value.histo
        yield value.tag, np.array([h.num, h.min, h.max])
    elif value.HasField("image"):
        name, _, number = value.tag.partition("/image")  # "bytes/image", "positive/image/0"
        yield name + (number or "/0"), decode(value.image.encoded_image_string)
    else:
        tensor = tf.make_ndarray(value.tensor)
        plugin = value.metadata.plugin_data.plugin_name
        if plugin == "images":
            for number, image in enumerate(tensor[2:]):
                yield "%s/%d" % (value.tag, number), decode(image)
        elif plugin == "histograms":
            yield value.tag, np.array([tensor[:, 2].sum(), tensor[0, 0], tensor[-1, 1]])
        else:
            yield value.tag.replace("/text_summary", ""), tensor


def decode(png):
    if LEGACY:
        with tf.Session() as session:
            return session.run(tf.image.decode_png(png))
    return tf.io.decode_png(png).numpy()


if LEGACY:
    write_legacy()
else:
    write_converted()
np.savez(
    sys.argv[2],
    **{
        key: np.asarray(value, dtype="S" if np.asarray(value).dtype == object else None)
        for key, value in read().items()
    },
)
