list: object
matrix: object
