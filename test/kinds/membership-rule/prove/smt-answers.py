"""Answers SMT-LIB questions by cvc5: a JSON list of scripts on stdin, a list of answers on stdout."""

import json
import sys

import cvc5


def answer(script: str) -> str:
    solver = cvc5.Solver()
    solver.setOption("tlimit-per", "5000")
    solver.setOption("strings-exp", "true")
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "question")
    while True:
        command = parser.nextCommand()
        if command.isNull():
            return "unknown"
        text = command.invoke(solver, parser.getSymbolManager()).strip()
        if text:
            return text


json.dump([answer(each) for each in json.load(sys.stdin)], sys.stdout)
