"""Neural agents: encoder, network and policy; the only agents that need torch."""
