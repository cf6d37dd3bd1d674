"""Trains the evaluation nets of Kete: data files in, net files out."""
