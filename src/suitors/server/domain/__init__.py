"""Tables as folds of their events: what may be done at them, who may see what, and the registry of loaded ones."""
