"""The pages for people, and the forms on them."""
