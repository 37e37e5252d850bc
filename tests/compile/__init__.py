"""Kernels: what their machine code follows from, and where it is kept between two starts."""
