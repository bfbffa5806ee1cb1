// scratch
