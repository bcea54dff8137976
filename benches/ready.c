/* A server that is ready at once, or after so many milliseconds: its port, then the milliseconds. It does nothing else
   before it listens, so that what the lab reports as its start-up is the lab's own share. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(int count, char **arguments) {
    static const char ANSWER[] = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok";
    if (count < 2) return 2;
    if (count > 2) usleep(atoi(arguments[2]) * 1000);
    struct sockaddr_in address = {0};
    address.sin_family = AF_INET;
    address.sin_port = htons(atoi(arguments[1]));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int listener = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 128) != 0) return 1;
    for (;;) {
        char request[4096];
        int connection = accept(listener, NULL, NULL);
        if (connection < 0) continue;
        if (read(connection, request, sizeof request) > 0 && write(connection, ANSWER, strlen(ANSWER)) < 0) return 1;
        close(connection);
    }
}
