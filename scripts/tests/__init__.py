"""Tests of the scripts, by the standard library's unittest. One thread, as train_eval.py has it, and before numpy is imported."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
