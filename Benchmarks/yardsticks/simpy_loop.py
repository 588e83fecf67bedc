"""Runs SimPy's bare event loop with 100 processes that only wait. Prints its events a second."""

import random
import time

import simpy

COUNT = 400_000
PROCESSES = 100


def waiter(environment, dice):
    while True:
        yield environment.timeout(dice.random())


def main():
    environment = simpy.Environment()
    for number in range(PROCESSES):
        environment.process(waiter(environment, random.Random(number)))
    start = time.perf_counter()
    for _ in range(COUNT):
        environment.step()
    print(f"simpy={COUNT / (time.perf_counter() - start):.0f}")


main()
