package garage.history;

import java.nio.charset.StandardCharsets;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.util.StreamUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

@RestController
class HistoryController {
    private final RestClient archive;

    HistoryController(RestClient.Builder clients, @Value("${upstream}") String archive) {
        this.archive = clients.baseUrl(archive).build();
    }

    @GetMapping("/vehicles/{vehicle}/history")
    ResponseEntity<StreamingResponseBody> history(@PathVariable String vehicle) {
        StreamingResponseBody file = out -> {
            out.write("day,mileage,work\n".getBytes(StandardCharsets.UTF_8));
            archive.get().uri("/vehicles/{vehicle}", vehicle).exchange((request, response) -> {
                return StreamUtils.copy(response.getBody(), out);
            });
        };
        return ResponseEntity.ok()
                .contentType(MediaType.parseMediaType("text/csv"))
                .header(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=" + vehicle + ".csv")
                .body(file);
    }
}
