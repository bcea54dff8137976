INSERT INTO owners (first_name, last_name, city) VALUES
    ('Ada', 'Anchor', 'Busan'), ('Ben', 'Bosun', 'Leith'), ('Cleo', 'Capstan', 'Bergen'), ('Dov', 'Deck', 'Haifa'),
    ('Eve', 'Ensign', 'Cobh'), ('Finn', 'Fender', 'Turku'), ('Gil', 'Galley', 'Porto'), ('Hana', 'Helm', 'Kobe');
INSERT INTO pets (name, birth_date, owner_id) VALUES
    ('Leo', '2020-09-07', 1), ('Basil', '2022-08-06', 2), ('Rosy', '2021-04-17', 3), ('Jewel', '2020-03-07', 3),
    ('Iggy', '2020-11-30', 4), ('Max', '2015-09-04', 5), ('Lucky', '2011-08-06', 6), ('Sly', '2012-06-08', 8);
INSERT INTO vets (first_name, last_name) VALUES ('Ines', 'Ivory'), ('Jan', 'Jetty'), ('Kim', 'Keel');
INSERT INTO specialties VALUES (2, 'radiology'), (3, 'dentistry'), (3, 'surgery');
