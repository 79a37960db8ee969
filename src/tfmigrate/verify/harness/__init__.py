"""The program that runs a user's script in a child process and records what it does.

Standard library only at import, and valid from Python 3.6 on: the same files run under TensorFlow 1.15.5's Python 3.7
and under the target's. The host starts it by path (`python …/verify/harness SETTINGS`); nothing of it is imported by
user code.
"""
