"""What the benchmarks compute from times; how long anything takes is no test's business."""
