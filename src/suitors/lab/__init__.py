"""The laboratory: tables as numbers for programs that learn.

`space` says what the numbers of an observation and of an action mean, `memory` keeps what each seat has seen,
`observing` and `acting` write observations and masks, `stepping` plays on at one table. All but `space` are in the same
subset of Python as the rules: they run interpreted, on a CPU (`vector`) and on a GPU (`cuda`) with the same result.
"""
