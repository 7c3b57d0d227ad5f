"""What tests share: a module a purpose.

Matches and positions
    matches           matches played by chance, the program called in this process, records and moves
    random_play       random games for property tests, and the moves that might be tried in them
    scenes            a table in any wanted position
    solo_scenes       a solo game in any wanted position
    engine_positions  positions and buffers for the bots' engine
    vocabularies      what readers are told, by edition, language and theme
    court_words       words of the court that another theme must not have
    bad_records       records with one fault each, and the error that it must give

Independent implementations to compare with
    witness           what a seat sees, written from the rules and not from the events
    all_deals         beliefs by brute force over every deal
    slow_solver       the solo game solved by trying everything
    slow_endings      endings of two-player rounds as trees of dicts
    shuffle_protocol  docs/shuffle.md once more, written from the page alone

Servers, pages and programs
    servers           servers in this process and real ones that can be killed
    server_fixtures   fixtures of servers and their clients
    stored_tables     tables written into a store before a server opens it
    page_visits       requests for pages, and what every page must be
    browser           the system's Chromium, driven by Playwright
    page_players      players who click, type and touch
    join_programs     programs that join tables of a real server
    bot_programs      small programs used as bots

The project itself
    repository        pages of the documentation, and scripts outside the package
    index             a package index on this machine, for tests of run.py
    progress          a pytest plugin that says which tests are still running
"""
