"""Rules for strings and sparse tensors made of them."""
