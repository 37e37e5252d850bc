"""The game of Arboretum: rules, engine, observation, views, records and drawing."""
