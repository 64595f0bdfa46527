"""The pages of the site, which tests of every page look at."""

CONTENT = ("layer-norm.html", "lesson.html", "laboratory.html")
SOURCES = ("source/ops.html", "source/transformer.html")  # all others are made as these are
PAGES = ("index.html", *CONTENT, *SOURCES, "freshness.html", "404.html")
