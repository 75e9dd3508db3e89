"""The same game at other frameworks for game servers, and at the service, under the same load."""
