"""What every process of the service needs: log, ports, signals, ties to parent and children."""
